/**
 * Problems that end with their remedy, taken apart again for those who show the two separately.
 */

/** What is wrong, and what to do: `remedy`, which is taken off the end of the text if it is there. */
export function splitRemedy(problem: string, remedy: string): [string, string] {
  return problem.endsWith(remedy)
    ? [problem.slice(0, -remedy.length).replace(/\. $/, ""), remedy]
    : [problem, remedy];
}
