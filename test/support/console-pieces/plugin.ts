import { definePlugin } from '../../../src/index.ts'

const broken = ['throws-loading', 'throws-constructing', 'throws-handed', 'throws-connected', 'no-element', 'fails-once'] as const

/** Components that fail in each way there is, and one of the first version. */
export const brokenPieces = definePlugin({
  name: 'broken',
  requires: ['invoices'],
  console: {
    folder: new URL('./', import.meta.url),
    layouts: [{ type: 'Note', groups: [{ label: 'Broken', fields: [{ field: 'dc:title', widget: 'throws-handed' }] }] }],
    widgets: [{ name: 'throws-handed', file: 'throws-handed.js' }],
    tabs: [
      { name: 'first-version', label: 'First version', file: 'first-version.js', apiVersion: 1, when: { type: 'Invoice' } },
      ...broken.map((name) => ({ name, label: name, file: `${name}.js`, when: { type: 'Invoice' } })),
    ],
    actions: [{ name: 'throws-loading', label: 'Break', file: 'throws-loading.js', when: { type: 'Invoice' } }],
    pages: [{ name: 'throws-connected', label: 'Broken page', file: 'throws-connected.js' }],
  },
})
