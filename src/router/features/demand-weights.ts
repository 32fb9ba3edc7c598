/** Made by eval/routing/train-demand.ts from frames of our own (CC0-1.0); not edited by hand. */

/** The encoder whose vectors these weights read. */
export const DEMAND_REVISION = "minilm-static-1";
export const DEMAND_SCALE = 0.011610970192241117;
export const DEMAND_BIAS = 0.21494718392534767;
/** One signed byte a dimension, base64. */
export const DEMAND_WEIGHTS =
  "1QcEAkjOf8P1DVoT/tENN/ot6wb6E/HzyyL9FBJL7OsVEgAo/A7WABQM/wn+FgMX8QjhMA0i+AH5HQbj+wTv/eUKChME8ATosxXU+ufLExkF89384eUPIgEF4hnk1OTi+NEBIAsADP8EyPge5/3uxQAE1+zt6ekQ8+/3HBYZ7eYtIunoCvwW/u7xFvQFHAP20PnQIO8G9dYSDQwDHBwg3w7v4w4C9Bbc+RQKEQn9GuUECib0CvnwBfTnBgXw/hP3E/j9HxUNF/8V5fYXCfn/AAL9Fe4DAQXzDwriChMSDgwE9P4U6xT/Ed8KFgsICQbhGgkA+ecJCQYDAN4IEgnyEw==";
