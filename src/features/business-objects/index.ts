import { defineBusinessObject } from '../../automation/business-object.ts'
import { definePlugin } from '../../plugin/define-plugin.ts'
import { businessObjectAdapter } from './bo-adapter.ts'
import { businessOperations } from './operations.ts'

const businessBean = defineBusinessObject({
  name: 'BusinessBean',
  fields: { title: 'dc:title', description: 'dc:description', note: 'note:note' },
})

/** Documents as small objects of a deployment's own making. */
export default definePlugin({
  name: 'business-objects',
  requires: ['automation'],
  businessObjects: [businessBean],
  operations: businessOperations,
  adapters: [businessObjectAdapter],
})
