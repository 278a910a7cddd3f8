import { mainBlob } from '../../core/blobs/document-blobs.ts'
import type { Rendition } from '../../core/renditions/rendition.ts'

/** The main file as it is. */
export const mainRendition: Rendition = {
  name: 'mainBlob',
  icon: 'file.gif',
  order: 10,
  isHidden: true,
  isAvailable: () => true,
  render: async ({ session, document }) => mainBlob(session, document),
}
