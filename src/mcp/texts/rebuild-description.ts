/** What the model reads about the `rebuild_index` tool. */
export const REBUILD_DESCRIPTION = `Bring the index up to date with the folder now, and wait for it.

Rarely needed: the server follows the folder by itself. Use it when the user asks for it, or when a document that surely exists is not found. Only what changed is read; force builds everything anew, which can take minutes, and is for an index that seems wrong. Searches are answered meanwhile.

One run at a time: a second call is refused with how long the first has taken. No document is ever changed.`;
