import { describe, expect, test } from "bun:test";
import { Metrics } from "../../../src/mcp/http/metrics.ts";

describe("Metrics", () => {
  test("counts requests, refusals and calls, and adds what is looked up", () => {
    const metrics = new Metrics();
    metrics.noteRequest("/mcp", 200);
    metrics.noteRequest("/mcp", 200);
    metrics.noteRefusal("host");
    metrics.noteCall("search", "answered");
    const lines = metrics.text([{ name: "kb_chunks", help: "Passages.", value: 7 }]).split("\n");
    expect(lines).toContain('kb_requests_total{route="/mcp",code="200"} 2');
    expect(lines).toContain('kb_refusals_total{gate="host"} 1');
    expect(lines).toContain('kb_calls_total{tool="search",outcome="answered"} 1');
    expect(lines).toContain("kb_chunks 7");
  });

  test("sorts times of stages into buckets that contain the smaller ones", () => {
    const metrics = new Metrics();
    metrics.noteStages([{ stage: "query", ms: 0.5 }]);
    metrics.noteStages([{ stage: "query", ms: 20 }]);
    const lines = metrics.text([]).split("\n");
    expect(lines).toContain('kb_search_stage_seconds_bucket{stage="query",le="0.001"} 1');
    expect(lines).toContain('kb_search_stage_seconds_bucket{stage="query",le="0.025"} 2');
    expect(lines).toContain('kb_search_stage_seconds_bucket{stage="query",le="+Inf"} 2');
    expect(lines).toContain('kb_search_stage_seconds_sum{stage="query"} 0.0205');
  });
});
