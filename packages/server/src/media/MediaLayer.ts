import { Layer } from "effect"
import { RemoteFetch } from "../http/RemoteFetch.ts"
import { BlobStoreLayer } from "./files/BlobStoreLayer.ts"
import { ReservationRepository } from "./files/ReservationRepository.ts"
import { SignedUrls } from "./files/SignedUrls.ts"
import { ImageFit } from "./images/ImageFit.ts"
import { ImageRenditions } from "./images/ImageRenditions.ts"
import { Thumbnails } from "./images/Thumbnails.ts"
import { ImportRepository } from "./imports/ImportRepository.ts"
import { Imports } from "./imports/Imports.ts"
import { MediaChangeRepository } from "./files/MediaChangeRepository.ts"
import { MediaEvents } from "./MediaEvents.ts"
import { MediaLibrary } from "./MediaLibrary.ts"
import { MediaRepository } from "./files/MediaRepository.ts"
import { MediaSweepRepository } from "./files/MediaSweepRepository.ts"
import { Probe } from "./Probe.ts"
import { MediaFiles } from "./serving/MediaFiles.ts"
import { Uploads } from "./uploads/Uploads.ts"
import { VideoFrames } from "./videos/VideoFrames.ts"
import { VideoProbe } from "./videos/VideoProbe.ts"
import { VideoRenditions } from "./videos/VideoRenditions.ts"

/** The services of media. */
export const MediaLayer = Layer.mergeAll(
  MediaLibrary.layerNoDeps,
  Uploads.layerNoDeps,
  Imports.layerNoDeps,
  MediaFiles.layerNoDeps
).pipe(
  Layer.provide([
    MediaEvents.layer,
    MediaRepository.layer,
    MediaChangeRepository.layer,
    MediaSweepRepository.layer,
    ReservationRepository.layer,
    ImportRepository.layer,
    SignedUrls.layer,
    ImageRenditions.layerNoDeps.pipe(Layer.provide(ImageFit.layer)),
    VideoRenditions.layerNoDeps,
    Thumbnails.layerNoDeps
  ]),
  Layer.provide(VideoFrames.layerNoDeps),
  Layer.provide([BlobStoreLayer, Probe.layer, RemoteFetch.layer, VideoProbe.layer])
)
