import { definePlugin } from '../../plugin/define-plugin.ts'
import { exportDocument } from './operation.ts'

/** Documents as XML, alone or in archives with their files and all that is below them. */
export default definePlugin({ name: 'document-export', requires: ['files'], operations: [exportDocument] })
