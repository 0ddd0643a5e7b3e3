/** For tests of one stage alone: nothing was left by an earlier run, and nobody reads what this one has in hand. */
export const NO_JOURNAL = { journal: { note() {} }, left: undefined };
