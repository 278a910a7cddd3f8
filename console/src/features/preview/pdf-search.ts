import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist'

/** A place on a page where a text stands, in percent of the page. */
export interface PdfMatch {
  readonly page: number
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

const mostMatches = 500

/** Where a text stands in a file, page after page, in whatever case. What is broken over two lines is not found. */
export async function findInPdf(pdf: PDFDocumentProxy, text: string, signal: AbortSignal): Promise<readonly PdfMatch[]> {
  const matches: PdfMatch[] = []
  for (let number = 1; number <= pdf.numPages && matches.length < mostMatches && !signal.aborted; number += 1)
    matches.push(...(await matchesOn(await pdf.getPage(number), number, text.toLowerCase())))
  return matches
}

async function matchesOn(page: PDFPageProxy, number: number, text: string): Promise<readonly PdfMatch[]> {
  const viewport = page.getViewport({ scale: 1 })
  const { items } = await page.getTextContent()
  return items.flatMap((item) => {
    if (!('str' in item) || item.str === '') return []
    const [x = 0, y = 0] = [item.transform[4] as number, item.transform[5] as number]
    return placesIn(item.str.toLowerCase(), text).map((place) => {
      const from = x + (item.width * place) / item.str.length
      const to = from + (item.width * text.length) / item.str.length
      const [x1 = 0, y1 = 0] = viewport.convertToViewportPoint(from, y)
      const [x2 = 0, y2 = 0] = viewport.convertToViewportPoint(to, y + item.height)
      return {
        page: number,
        left: (Math.min(x1, x2) / viewport.width) * 100,
        top: (Math.min(y1, y2) / viewport.height) * 100,
        width: (Math.abs(x2 - x1) / viewport.width) * 100,
        height: (Math.abs(y2 - y1) / viewport.height) * 100,
      }
    })
  })
}

function placesIn(line: string, text: string): readonly number[] {
  const places: number[] = []
  for (let place = line.indexOf(text); place >= 0; place = line.indexOf(text, place + text.length)) places.push(place)
  return places
}
