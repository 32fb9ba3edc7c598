/** Made by eval/routing/train-visibility.ts from lines of our own (CC0-1.0); not edited by hand. */
import type { StoredWeights } from "./stored-weights.ts";

export const VISIBILITY: StoredWeights = {
  revision: "minilm-static-1",
  scale: 0.044719116425545435,
  bias: -0.6321797686826658,
  weights:
    "bQwcyB05gQXqCtYuPUfKB9W8PMcVv/XiMfsTKhQi89ntCRzp/AjkI/MLBAzf++/zIO7t+esVIPXn/fH6//HW4xkPGusD6grwCfb19Pn++xf46+8T4Pr0Fhr9Ce3jBPID7u8MFBbt6Pb6+AMeAgEs6gLY9RASDgrj5fMN8+zo8gvlAAkTEAHjAAYOJBD47hT8EdvwHgcM+uME3hDt9f0TAggU7Q/j1hAPDfDn7f/q7vDn//4a/gwMDCcGBuEIB/8HFPT1G/7NGAEC8wIX9PcU6QUhB+ggAOQM+w30COLx6iMQ6e4W8P77HgL49Arg5AsfFgsK8w/74u4J//gA8/8O6A==",
};
