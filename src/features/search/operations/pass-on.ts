import { defineOperation } from '../../../automation/operation.ts'

export const fetchDocument = defineOperation({
  id: 'Context.FetchDocument',
  category: 'Fetch',
  description: 'Begins a chain with the documents that it is given.',
  effect: 'reads',
  params: {},
  run: ({ on }) => [on('document', 'document', (document) => document), on('documents', 'documents', (documents) => documents)],
})

export const fetchFile = defineOperation({
  id: 'Context.FetchFile',
  category: 'Fetch',
  description: 'Begins a chain with the files that it is given.',
  effect: 'reads',
  params: {},
  run: ({ each }) => [each('blob', 'blob', (blob) => blob)],
})
