/** The words of `signalbox.yaml` that the catalog, the router and the providers give a meaning to. Each list is told here alone. */

/** Chat completions, which many vendors and every local server speak, and the Responses API. */
export const OPENAI_DIALECTS = ["openai", "openai-responses"] as const;

/** The wire formats that an upstream may speak: each is a folder in `providers/` and a row in `providers/wire-dialects.ts`. */
export const SPOKEN_DIALECTS = [...OPENAI_DIALECTS, "anthropic", "google", "ollama"] as const;

/** What a chat model can do. */
export const ABILITIES = [
  "tools",
  "parallel_tools",
  "vision",
  "audio_input",
  "video_input",
  "pdf_input",
  "json_mode",
  "json_schema",
  "reasoning",
  "image_output",
] as const;

/**
 * The kinds of task that a text can set. The first outputs of the classifier's trained weights stand for them in this order
 * (`eval/routing/train.py`), so another one needs other weights.
 */
export const TEXT_TASKS = ["extraction", "classification", "summarization", "reasoning", "code", "writing"] as const;
