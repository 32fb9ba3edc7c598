/** Made by eval/routing/train-demand.ts from frames of our own (CC0-1.0); not edited by hand. */

/** The encoder whose vectors these weights read. */
export const DEMAND_REVISION = "minilm-static-1";
export const DEMAND_SCALE = 0.013461981549966624;
export const DEMAND_BIAS = -0.0025565352220000117;
/** One signed byte a dimension, base64. */
export const DEMAND_WEIGHTS =
  "/vQCDVPNf774CFYbA9ASHv8r7gEDDPv20hkCFgBQ9+0HDf4g+xLLBv0DFgroCg4U2gvuJhUe7P7xHRDt7Bfx/OUIHQYB+wHstx7H+fLZBBoB+t/92OUBLvYN5yD18OnhDdwWGQwFBOsL3gYV9wPbxOn+5u713+4T/fX5FBct++IgKurxCwgVAPD4DfQUDgIC0wTgHfsH5tkgDvT7JyMX4RX25hIC9hvQAxP8Fv3wIu0P+yTyGwjj7grjA/8J9gn1IQD7IAgLD/AT8/wRB/AGA/4L+usG+xnp+wTgEiEK9AgG8QUn5BYHBukJDwwRBvHgGgcD9+gIBQoN/9/7Hgv5AQ==";
