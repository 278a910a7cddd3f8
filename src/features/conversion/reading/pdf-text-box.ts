import type { PdfDocument } from './pdf-document.ts'

/** What PDFium itself has and the package does not offer: its pages are known by number. */
interface PdfiumModule {
  readonly HEAPU8: Uint8Array
  readonly wasmExports: { malloc(bytes: number): number; free(place: number): void }
  _FPDFText_LoadPage(page: number): number
  _FPDFText_ClosePage(textPage: number): void
  _FPDFText_GetBoundedText(
    textPage: number,
    left: number,
    top: number,
    right: number,
    bottom: number,
    buffer: number,
    units: number,
  ): number
}

// Of what stands on a link.
const maxUnits = 2_000

/** The text in a box of a page, whose sides are left, below, right and above; empty where nothing can be read. */
export function textInBox(
  document: PdfDocument,
  index: number,
  [left, below, right, above]: readonly [number, number, number, number],
): string {
  const { module, pageIdx } = document.getPage(index) as unknown as { readonly module: PdfiumModule; readonly pageIdx: number }
  const textPage = module._FPDFText_LoadPage(pageIdx)
  if (textPage === 0) return ''
  const buffer = module.wasmExports.malloc(maxUnits * 2)
  try {
    const units = module._FPDFText_GetBoundedText(textPage, left, above, right, below, buffer, maxUnits)
    const bytes = module.HEAPU8.slice(buffer, buffer + Math.max(0, Math.min(units, maxUnits)) * 2)
    return Buffer.from(bytes).toString('utf16le').replace(/\0.*$/s, '').replaceAll('\r\n', '\n').trim()
  } finally {
    module.wasmExports.free(buffer)
    module._FPDFText_ClosePage(textPage)
  }
}
