import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { formatSvg } from "../../src/cli/graph-svg.ts";
import { drawnGraph, HOSTILE_NAMES } from "../support/drawn-graph.ts";
import { elementsOf } from "../support/well-formed-xml.ts";

const KNOWN_ELEMENTS = ["g", "path", "rect", "style", "svg", "text", "title"];

describe("formatSvg", () => {
  test.each(HOSTILE_NAMES)("draws %p as text in well-formed XML", (name) => {
    const svg = formatSvg(drawnGraph(name));
    const plain = formatSvg(drawnGraph("plain"));
    // A name changes no element.
    expect(elementsOf(svg)).toEqual(elementsOf(plain));
    expect(KNOWN_ELEMENTS).toEqual(expect.arrayContaining([...new Set(elementsOf(svg))]));
    expect(svg).not.toMatch(/<script|javascript:|\son\w+=|href=|url\(/i);
  });

  test("draws any name", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (name) => {
        expect(elementsOf(formatSvg(drawnGraph(name)))).toEqual(elementsOf(formatSvg(drawnGraph("plain"))));
      }),
    );
  });

  test("draws lone surrogates and what is no character", () => {
    expect(() => elementsOf(formatSvg(drawnGraph("a\ud800b\uffff\u0001\u007f")))).not.toThrow();
  });

  test("shows every node and every kind of edge with its reason, in light and dark", () => {
    const svg = formatSvg(drawnGraph("見積書"));
    expect(svg.match(/<rect class="(?:box|start)"/g)).toHaveLength(4);
    expect(svg).toContain(">見積書 &gt; § 見積書<");
    expect(svg).toContain("0.83");
    expect(svg).toContain("line 7");
    for (const kind of ["similar", "links_to", "linked_from", "across"])
      expect(svg).toContain(`class="edge ${kind}"`);
    expect(svg).toContain("prefers-color-scheme: dark");
  });

  test("draws an empty graph", () => {
    const svg = formatSvg({ ...drawnGraph("x"), nodes: [], edges: [] });
    expect(elementsOf(svg)[0]).toBe("svg");
    expect(svg).toContain("0 nodes, 0 edges");
  });

  test("puts no box over another", () => {
    const boxes = [
      ...formatSvg(drawnGraph("x")).matchAll(
        /class="(?:box|start)" x="([\d.]+)" y="([\d.]+)" width="(\d+)" height="(\d+)"/g,
      ),
    ].map((match) => match.slice(1).map(Number) as [number, number, number, number]);
    for (const [at, [x, y, width, height]] of boxes.entries())
      for (const [otherX, otherY] of boxes.slice(at + 1))
        expect(Math.abs(otherX - x) >= width || Math.abs(otherY - y) >= height).toBe(true);
  });
});
