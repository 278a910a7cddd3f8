import { definePlugin } from 'quire'

/** How the console shows contracts. Its components are files of the folder `console`, which browsers load as they are. */
export default definePlugin({
  name: 'contracts-console',
  requires: ['contracts'],
  console: {
    folder: new URL('../console/', import.meta.url),
    layouts: [
      {
        type: 'Contract',
        groups: [
          {
            label: 'Contract',
            fields: [
              'dc:title',
              { field: 'contract:party', width: 'half' },
              { field: 'contract:signed', width: 'half', when: { state: 'signed' } },
            ],
          },
        ],
        columns: ['contract:party', 'contract:signed'],
      },
    ],
    tabs: [{ name: 'signing', label: 'Signing', file: 'signing-tab.js', when: { type: 'Contract' } }],
  },
})
