import { describe, expect, test } from "bun:test";
import { CHAT_MODELS } from "../../src/catalog/chat-models.ts";
import { compareListing } from "../../src/catalog/compare-listing.ts";
import type { ChatModel } from "../../src/catalog/model.ts";

const model = (id: string): ChatModel => {
  const found = CHAT_MODELS.find((entry) => entry.id === id);
  if (!found) throw new Error(id);
  return found;
};

describe("compareListing", () => {
  test("names what the provider no longer lists and what the catalog does not know", () => {
    const report = compareListing(
      [model("gpt-4o"), model("gpt-6-luna")],
      [{ id: "gpt-6-luna" }, { id: "gpt-9" }, { id: "gpt-7" }],
    );
    expect(report).toEqual({ missing: ["gpt-4o"], unknown: ["gpt-7", "gpt-9"], shutdowns: [] });
  });

  test("knows a model by its alias, its provider's own id and Gemini's prefix", () => {
    const models = [model("claude-haiku-4-5"), model("gpt-4.1"), model("gemini-3.8-flash")];
    const listed = [{ id: "claude-haiku-4-5-20251001" }, { id: "gpt-4.1-2025-04-14" }, { id: "models/gemini-3.8-flash" }];
    expect(compareListing(models, listed)).toEqual({ missing: [], unknown: [], shutdowns: [] });
  });

  test("tells shutdown dates that differ, where the provider tells any", () => {
    const models = [model("gpt-4o"), model("gpt-4o-mini"), model("gpt-6-luna")];
    const listed = [
      { id: "gpt-4o", shutdownDate: "2027-03-01" },
      { id: "gpt-4o-mini", shutdownDate: "2027-01-14" },
      { id: "gpt-6-luna" },
    ];
    expect(compareListing(models, listed).shutdowns).toEqual([{ id: "gpt-4o", catalog: "2027-01-14", provider: "2027-03-01" }]);
    expect(
      compareListing(
        models,
        listed.map(({ id }) => ({ id })),
      ).shutdowns,
    ).toEqual([]);
  });

  test("tells a date that only the provider has, and one that only the catalog has", () => {
    const listed = [{ id: "gpt-4o" }, { id: "gpt-6-luna", shutdownDate: "2027-09-22" }];
    expect(compareListing([model("gpt-4o"), model("gpt-6-luna")], listed).shutdowns).toEqual([
      { id: "gpt-4o", catalog: "2027-01-14", provider: null },
      { id: "gpt-6-luna", catalog: null, provider: "2027-09-22" },
    ]);
  });
});
