import { definePlugin } from '../../plugin/define-plugin.ts'
import { builtinTemplates } from './templates.ts'

/** The folders and rights that a new repository and a new domain start with. */
export default definePlugin({ name: 'content-templates', initialContent: builtinTemplates })
