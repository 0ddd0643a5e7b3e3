/**
 * Settings of the server and of what only it answers.
 *
 * `schema.ts` puts them together with the others.
 */
import { z } from "zod";
import { setting } from "./setting.ts";

export const serverSettings = z.strictObject({
  max_answer_bytes: setting(z.int().min(4096).max(16_777_216).default(65_536), {
    sentence:
      "How large an answer over MCP may be, each of its two forms; what does not fit is left out and the answer says how to get it.",
    unit: "bytes of JSON",
    range: "4096 to 16777216",
  }),
  read_only: setting(z.boolean().default(false), {
    sentence: "Whether tools that change something (rebuild_index) are left out.",
    unit: "switch",
    range: "true, false",
  }),
  tools: setting(z.array(z.string()).min(1).max(64).optional(), {
    sentence: "The tools there are, if not all; the others are neither listed nor called.",
    unit: "list of names",
    range: "names of tools",
  }),
});

export const bestPracticeSettings = z.strictObject({
  path_templates: setting(z.array(z.string().min(1).max(1024)).max(64).default([]), {
    sentence:
      "Paths of documents that get_best_practice tries in order, with {target} in the place of what is asked for; only indexed documents are read.",
    unit: "list of paths",
    range: "up to 64, relative to the folder",
  }),
});
