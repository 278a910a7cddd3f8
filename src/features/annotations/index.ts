import { definePlugin } from '../../plugin/define-plugin.ts'
import { annotationAdapter } from './annotation-adapter.ts'
import { annotationProviders, annotationSchema, annotationType } from './annotation-model.ts'

/** Comments on a place in a file. */
export default definePlugin({
  name: 'annotations',
  requires: ['comments'],
  schemas: [annotationSchema],
  documentTypes: [annotationType],
  pageProviders: annotationProviders,
  adapters: [annotationAdapter],
})
