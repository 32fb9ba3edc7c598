/** The words of the markups in which open models write their calls. A call itself is JSON, or stands between tags. */

/** How arguments stand between tags of their own. */
export type ArgumentTags = {
  /** What stands before a parameter's name, and after it. */
  parameter: string;
  keyed: readonly string[];
  /** What stands before a value, if more does, and after it. */
  value?: string;
  valued: string;
  /** The end of the call. */
  close: string;
};

/** A call that begins with a tag: what stands before the tool's name, and after it. */
export type TaggedForm = ArgumentTags & { open: string; named: string };

const invoke = (mark: string): TaggedForm => ({
  open: `<${mark}invoke name="`,
  named: '">',
  parameter: `<${mark}parameter name="`,
  keyed: ['" string="true">', '" string="false">', '">'],
  valued: `</${mark}parameter>`,
  close: `</${mark}invoke>`,
});

/** Qwen3-Coder, Seed and Llama (`<function=…>`), MiniMax (`<invoke …>`), DeepSeek since 3.2, which says what is a text. */
export const TAGGED_FORMS: readonly TaggedForm[] = [
  { open: "<function=", named: ">", parameter: "<parameter=", keyed: [">"], valued: "</parameter>", close: "</function>" },
  invoke(""),
  invoke("｜DSML｜"),
];

/** GLM: `<tool_call>name<arg_key>…</arg_key><arg_value>…</arg_value></tool_call>`. */
export const PAIRS: ArgumentTags = {
  parameter: "<arg_key>",
  keyed: ["</arg_key>"],
  value: "<arg_value>",
  valued: "</arg_value>",
  close: "</tool_call>",
};

/** In a fence a whole answer may stand. */
const PYTHON_FENCE = "```tool_code";
export const FENCES: readonly string[] = ["```", "```json", "```xml", "```tool_call", PYTHON_FENCE];

/**
 * Behind these a call may begin with the tool's name: GLM, Mistral, Kimi, DeepSeek before 3.2, GPT-OSS and Gemma; Olmo and Gemma 3 write it
 * as in Python.
 */
export const BEFORE_NAMES: readonly string[] = [
  "<tool_call>",
  "<function_calls>",
  PYTHON_FENCE,
  "<|tool_call>",
  "<start_function_call>",
  "[TOOL_CALLS]",
  "<|tool_call_begin|>",
  "<｜tool▁call▁begin｜>",
  "<|channel|>commentary to=",
  "<|start|>assistant<|channel|>commentary to=",
  "<|start|>assistant to=",
];
export const NAME_PREFIXES: readonly string[] = ["functions.", "function<｜tool▁sep｜>", "call:"];
/** What may stand between the name and the arguments; the first two are followed by the call's number or id. */
export const NUMBERS: readonly string[] = [":", "[CALL_ID]"];
export const SEPARATORS: readonly string[] = [
  ...NUMBERS,
  "[ARGS]",
  "<|tool_call_argument_begin|>",
  "<｜tool▁sep｜>",
  "<|channel|>commentary",
  "<|constrain|>",
  "json",
  "<|message|>",
];

/**
 * What calls begin with. Hermes, Qwen, Granite, Command, LM Studio's prompt and most others have JSON behind a tag, LFM a list as in
 * Python.
 */
export const OPENINGS: readonly string[] = [
  ...BEFORE_NAMES.filter((mark) => !FENCES.includes(mark)),
  ...TAGGED_FORMS.map(({ open }) => open),
  "<tool_calls>",
  "<|tool_call|>",
  "<|python_tag|>",
  "<|tool_call_start|>",
  "<|START_ACTION|>",
  "<function_call>",
  "<tools>",
  "[TOOL_REQUEST]",
  "<minimax:tool_call>",
  "<seed:tool_call>",
  "<longcat_tool_call>",
  "<|action_start|><|plugin|>",
  "<TOOLCALL>",
  "<｜DSML｜function_calls>",
  "<｜tool▁calls▁begin｜>",
  "<|tool_calls_section_begin|>",
];

/** What may follow a call, marks of the text's end included. */
export const CLOSINGS: readonly string[] = [
  "</tool_call>",
  "</tool_calls>",
  "<|/tool_call|>",
  "</function_calls>",
  "</function_call>",
  "</tools>",
  "[END_TOOL_REQUEST]",
  "<tool_call|>",
  "<end_function_call>",
  "</minimax:tool_call>",
  "</seed:tool_call>",
  "</longcat_tool_call>",
  "<|action_end|>",
  "</TOOLCALL>",
  "</｜DSML｜function_calls>",
  "<｜tool▁call▁end｜>",
  "<｜tool▁calls▁end｜>",
  "<|tool_call_end|>",
  "<|tool_calls_section_end|>",
  "<|END_ACTION|>",
  "<|call|>",
  "<|eom_id|>",
  "<|eot_id|>",
  "<|im_end|>",
  "<｜end▁of▁sentence｜>",
];

/** Llama and Qwen write several calls like this. */
export const BETWEEN_CALLS: readonly string[] = [";", ","];
