/**
 * The settings of `kb serve --transport http`: where it listens, whom it answers, and its limits.
 *
 * Which of them a `kb.toml` that came with the documents may not say is decided in `trust.ts`;
 * what the address means in `bind-address.ts`, the token in `token-file.ts`.
 */
import { z } from "zod";
import { setting } from "./setting.ts";

export const httpSettings = z.strictObject({
  bind: setting(z.string().min(1).default("127.0.0.1:3100"), {
    sentence:
      "Address and port to listen on; port 0 lets the system choose. Beyond this machine (such as 0.0.0.0:3100) a token is required.",
    unit: "address:port",
    range: "an address of this machine, IPv6 in brackets",
  }),
  allowed_hosts: setting(z.array(z.string().min(1)).max(256).optional(), {
    sentence:
      "Names by which the server may be called (header Host), with a port or for any port; none given: this machine's own names. An empty list takes every well-formed one.",
    unit: "list of names",
    range: "host or host:port",
  }),
  allowed_origins: setting(z.array(z.string().min(1)).max(256).optional(), {
    sentence:
      "Web pages that may call (header Origin); none given: those of this server itself. An empty list takes every page; programs send no Origin.",
    unit: "list of origins",
    range: "scheme://host or scheme://host:port, null",
  }),
  token_file: setting(z.string().min(1).optional(), {
    sentence:
      "File with the secret that clients send as Authorization: Bearer; kb init --token makes one. Relative to the configuration file.",
    unit: "path",
    range: "a file with at least 32 characters",
  }),
  healthz_public: setting(z.boolean().default(true), {
    sentence: "Whether /healthz answers whatever Host it is asked by.",
    unit: "switch",
    range: "true, false",
  }),
  max_sessions: setting(z.int().min(0).max(100_000).default(100), {
    sentence: "Sessions at a time; one more is refused with 429 until another ends. 0 sets no limit.",
    unit: "sessions",
    range: "0 to 100000",
  }),
  session_idle_minutes: setting(z.number().gt(0).max(10_080).default(30), {
    sentence: "A session without a request and without an open stream for so long is ended.",
    unit: "minutes",
    range: "above 0, to 10080",
  }),
  max_calls: setting(z.int().min(1).max(1000).default(32), {
    sentence: "Calls of tools worked on or waiting at a time; further requests get 503 and Retry-After.",
    unit: "calls",
    range: "1 to 1000",
  }),
  deadline_seconds: setting(z.number().gt(0).max(200).default(30), {
    sentence:
      "How long a call of a tool that only reads may take; then it is cut and answered with an error.",
    unit: "seconds",
    range: "above 0, to 200",
  }),
  body_seconds: setting(z.number().gt(0).max(200).default(10), {
    sentence: "How long the body of a request may take to arrive.",
    unit: "seconds",
    range: "above 0, to 200",
  }),
  readers: setting(z.int().min(0).max(16).default(0), {
    sentence:
      "Processes that search at the same time, started when needed; 0 means one a core, at least 2 and at most 4.",
    unit: "processes",
    range: "0 to 16",
  }),
});
