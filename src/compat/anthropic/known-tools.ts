/**
 * Tools that Anthropic defines and callers run, named by a type alone. Anthropic's models know them by that type; for other models they are
 * written out here.
 */

import { readCacheMark } from "../../chat/request/read-cache-wish.ts";
import type { ToolDefinition } from "../../providers/provider.ts";

type Known = { description: string; parameters: Record<string, unknown> };

const TEXT = { type: "string" };
const NUMBER = { type: "integer" };
const object = (properties: Record<string, unknown>, ...required: string[]) => ({ type: "object", properties, required });
const oneOf = (...values: string[]) => ({ type: "string", enum: values });

/** Parameters of the file-editing tools, beside the command. */
const EDITED = {
  path: TEXT,
  view_range: { type: "array", items: NUMBER },
  file_text: TEXT,
  old_str: TEXT,
  new_str: TEXT,
  insert_line: NUMBER,
  insert_text: TEXT,
};

const BASH: Known = {
  description: "Runs a command in a bash session that stays open between calls. `restart` begins a new session instead.",
  parameters: object({ command: TEXT, restart: { type: "boolean" } }),
};
const TEXT_EDITOR: Known = {
  description:
    "Views and edits text files: `view` shows a file (or the lines of `view_range`) or a folder, `create` writes `file_text`, `str_replace` puts `new_str` in the place of `old_str`, which must stand there once, `insert` puts `insert_text` after the line `insert_line`.",
  parameters: object(
    {
      command: oneOf("view", "create", "str_replace", "insert"),
      ...EDITED,
    },
    "command",
    "path",
  ),
};
const MEMORY: Known = {
  description:
    "Keeps notes over conversations in files under /memories: `view`, `create`, `str_replace`, `insert` and `delete` a file at `path`, or `rename` it from `old_path` to `new_path`.",
  parameters: object(
    {
      command: oneOf("view", "create", "str_replace", "insert", "delete", "rename"),
      ...EDITED,
      old_path: TEXT,
      new_path: TEXT,
    },
    "command",
  ),
};

/** By the beginning of their dated types. */
const KNOWN: readonly (readonly [string, Known])[] = [
  ["bash_", BASH],
  ["text_editor_", TEXT_EDITOR],
  ["memory_", MEMORY],
];

type Declared = { type?: string | null; name?: string };

/** Undefined for tools that run at Anthropic, and those that no other model could use. */
export const knownTool = (tool: Declared): ToolDefinition | undefined => {
  const known = KNOWN.find(([prefix]) => tool.type?.startsWith(prefix))?.[1];
  if (known === undefined || tool.name === undefined) return undefined;
  const { cache_control: _, ...native } = tool as Record<string, unknown>;
  return { name: tool.name, ...known, native, ...readCacheMark(tool) };
};
