import { definePlugin } from '../../plugin/define-plugin.ts'
import { textExtractors } from './text-extractors.ts'

/** Documents are found by what is in their files. */
export default definePlugin({ name: 'fulltext', textExtractors })
