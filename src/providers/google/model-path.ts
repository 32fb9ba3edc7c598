/** `models/<id>` for a bare id; tuned models and the like include their folder. */
export const modelPath = (model: string): string =>
  (model.includes("/") ? model : `models/${model}`).split("/").map(encodeURIComponent).join("/");
