import { fileNotConvertible } from '../../core/conversion/run-conversion.ts'
import type { RenderedFile, RenditionCall } from '../../core/renditions/rendition.ts'
import type { StoredPicture } from '../../core/renditions/thumbnail-factory.ts'
import { actingName } from '../../model/rights/principal.ts'
import { downloadRefused } from '../../rest/download/download-rule.ts'
import type { Services } from '../../rest/services.ts'

/**
 * A picture of a document as it was asked for: itself, or in its proportions no longer than the size that the call names. Small ones are
 * made when first asked for, and kept as long as other results of conversions. @throws downloadRefused
 */
export async function renderPicture(
  { conversions }: Pick<Services, 'conversions'>,
  call: RenditionCall,
  picture: StoredPicture,
): Promise<RenderedFile> {
  const { session, document, size } = call
  const { longestSide = Number.POSITIVE_INFINITY, ...stored } = picture
  if (size === undefined || longestSide <= size) return stored
  // Who may not have the picture may not have a smaller one either.
  if (!(await call.mayTake({ ...stored, document }))) throw downloadRefused({})
  const parameters = { width: String(size), height: String(size) }
  const target = { converter: 'pictureResize' }
  try {
    const { repository, principal } = session
    const wish = { parameters, user: actingName(principal), signal: call.signal }
    const [blob] = await conversions.convert({ repository, source: stored, target, ...wish })
    return blob === undefined ? stored : { blob, xpath: stored.xpath, madeOf: stored.blob.digest }
  } catch (error) {
    // A browser may still be able to show what we cannot read.
    if (fileNotConvertible.is(error)) return stored
    throw error
  }
}
