export interface Raster {
  /** Of ffmpeg. It takes nothing else, whatever the bytes say that they are: among what ffmpeg reads are lists of other files. */
  readonly demuxer: string
  /** As `picture:info` calls it. */
  readonly format: string
}

const bitmap: Raster = { demuxer: 'bmp_pipe', format: 'BMP' }

/** Pictures that only ffmpeg reads, by their types. */
export const rasters: ReadonlyMap<string, Raster> = new Map([
  ['image/bmp', bitmap],
  ['image/x-bmp', bitmap],
  ['image/x-ms-bmp', bitmap],
  ['image/x-bitmap', bitmap],
  ['image/x-portable-bitmap', { demuxer: 'pbm_pipe', format: 'PBM' }],
  ['image/x-portable-graymap', { demuxer: 'pgm_pipe', format: 'PGM' }],
  ['image/x-portable-pixmap', { demuxer: 'ppm_pipe', format: 'PPM' }],
  ['image/x-dpx', { demuxer: 'dpx_pipe', format: 'DPX' }],
  ['application/photoshop', { demuxer: 'psd_pipe', format: 'PSD' }],
])
