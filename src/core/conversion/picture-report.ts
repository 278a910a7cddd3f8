/** What a picture is, as the contract names it (blobs 10.2). */
export interface PictureInfo {
  readonly width: number
  readonly height: number
  /** Bits of each colour. */
  readonly depth: number
  readonly format: string
  readonly colorSpace: string
}

/**
 * What cameras and editors tell of a picture, in the words in which `exiftool` prints it. The moment is ISO 8601 without a zone, as
 * cameras have none.
 */
export interface PictureTags {
  readonly imageDescription?: string
  readonly userComment?: string
  readonly equipment?: string
  readonly dateTimeOriginal?: string
  readonly xResolution?: number
  readonly yResolution?: number
  readonly pixelXDimension?: number
  readonly pixelYDimension?: number
  readonly copyright?: string
  readonly exposureTime?: string
  readonly iso?: string
  readonly focalLength?: string
  readonly focalLengthMillimetres?: number
  readonly colorSpace?: string
  readonly whiteBalance?: string
  readonly iccProfile?: string
  readonly orientation?: string
  readonly fNumber?: number
  /** Of the press (IPTC). */
  readonly source?: string
  readonly copyrightNotice?: string
  readonly caption?: string
}

export interface ViewReport {
  readonly info: PictureInfo
  /** It is the very file: there is no other of it. */
  readonly isSource: boolean
}

/** What the converter `pictureViews` tells of a picture, beside the files of its views. */
export interface PictureReport {
  readonly info: PictureInfo
  readonly tags: PictureTags
  /** In the order in which they were asked for. */
  readonly views: readonly ViewReport[]
}
