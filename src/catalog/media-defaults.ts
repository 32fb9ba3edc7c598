/** Defaults of images, videos and voices (spec.md), for the media endpoints and for media requested in chat. */

export const IMAGE_DEFAULTS = {
  model: "image-a-3",
  n: 1,
  size: "1024x1024",
  width: 1024,
  height: 1024,
  quality: "standard",
  style: "vivid",
  deliver: "url",
} as const;

export const VIDEO_DEFAULTS = { model: "video-b-gen3", durationSeconds: 4, resolution: "1080p", aspectRatio: "16:9" } as const;

export const SPEECH_DEFAULTS = { format: "mp3", speed: 1 } as const;
