import { definePlugin } from '../../plugin/define-plugin.ts'
import { inspectType, repairTypes } from './repair-listener.ts'

export { anyBytes, baseName, findMimeType, normalised, saysNothing } from '../../base/mime-types/mime-type.ts'
export { detectDeclaredType, detectType } from './detected-type.ts'

/** Files are known by their MIME types. */
export default definePlugin({ name: 'mime-types', listeners: [repairTypes], blobInspectors: [inspectType] })
