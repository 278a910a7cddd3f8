import type { RenderedFile, Rendition, RenditionCall } from '../../../core/renditions/rendition.ts'

/** A rendition as it was stored, else made now. */
export async function renderStored(rendition: Rendition, call: RenditionCall): Promise<RenderedFile | undefined> {
  return rendition.render(call)
}
