import { defineWords } from '../../words/words.ts'
import type { DocumentTabId } from './tab-ids.ts'

export const useDocumentWords = defineWords(
  {
    properties: 'Properties',
    type: 'Type',
    state: 'State',
    version: 'Version',
    created: 'Created',
    modified: 'Changed',
    creator: 'Author',
    download: 'Download',
    actions: 'What can be done',
    addTo: 'Add to',
    aCollection: 'A collection…',
    theClipboard: 'The clipboard',
  },
  {
    properties: 'Propriétés',
    type: 'Type',
    state: 'État',
    version: 'Version',
    created: 'Créé',
    modified: 'Modifié',
    creator: 'Auteur',
    download: 'Télécharger',
    actions: 'Actions',
    addTo: 'Ajouter à',
    aCollection: 'Une collection…',
    theClipboard: 'Au presse-papiers',
  },
)

type TabWords = { readonly [Tab in DocumentTabId]: string }

export const useTabWords = defineWords(
  {
    workflow: 'Workflow',
    versions: 'Versions',
    publishing: 'Publishing',
    permissions: 'Permissions',
    history: 'History',
    trash: 'Trash',
  } satisfies TabWords,
  {
    workflow: 'Workflow',
    versions: 'Versions',
    publishing: 'Publication',
    permissions: 'Permissions',
    history: 'Historique',
    trash: 'Corbeille',
  } satisfies TabWords,
)
