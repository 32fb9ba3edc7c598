/** Made by eval/routing/train-demand.ts from lines of our own (CC0-1.0); not edited by hand. */
import type { StoredVectorModel } from "./vector-model.ts";

export const DEMAND: StoredVectorModel = {
  revision: "minilm-static-1",
  scale: 0.011610970192241117,
  bias: 0.21494718392534767,
  weights:
    "1QcEAkjOf8P1DVoT/tENN/ot6wb6E/HzyyL9FBJL7OsVEgAo/A7WABQM/wn+FgMX8QjhMA0i+AH5HQbj+wTv/eUKChME8ATosxXU+ufLExkF89384eUPIgEF4hnk1OTi+NEBIAsADP8EyPge5/3uxQAE1+zt6ekQ8+/3HBYZ7eYtIunoCvwW/u7xFvQFHAP20PnQIO8G9dYSDQwDHBwg3w7v4w4C9Bbc+RQKEQn9GuUECib0CvnwBfTnBgXw/hP3E/j9HxUNF/8V5fYXCfn/AAL9Fe4DAQXzDwriChMSDgwE9P4U6xT/Ed8KFgsICQbhGgkA+ecJCQYDAN4IEgnyEw==",
};
