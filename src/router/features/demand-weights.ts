/** Made by eval/routing/train-demand.ts from frames of our own (CC0-1.0); not edited by hand. */

/** The encoder whose vectors these weights read. */
export const DEMAND_REVISION = "minilm-static-1";
export const DEMAND_SCALE = 0.013534505057406407;
export const DEMAND_BIAS = 0.3971335227414132;
/** One signed byte a dimension, base64. */
export const DEMAND_WEIGHTS =
  "/vMCC1LPf734ClQcANIPHv8t7gEECvzz0xwBFf9P++sHCgIh/hXMBwD8FAviDQsY3w3wJRMe7fjzHg/q7hPy/OUHHAIF/wHusyDF+vHZBRUA+uL73ecALvUP5SDz8OnjDuAXFgsBAuoM4AYW9gPdxe3/5+z23+8T+vT1FRMv/uEgKurwDgkWAvD+DvcTDf8D1QjhGwAI6dccD/f8JCQY4BDz5RMA9xTOAhX8FPrvI+sN/ibyGQnm8AzeA/8Q9wz5IAD9HwoMD/MT8/4OBvAKAAAK9+sG/Bbq/QPhEiEM9QcI8gcm3hYJBugHDQsUA+/fGwQE+eQKBQkL+9/7Ign5Ag==";
