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
    description: 'Description',
    file: 'File',
    download: 'Download',
    actions: 'What can be done',
  },
  {
    properties: 'Propriétés',
    type: 'Type',
    state: 'État',
    version: 'Version',
    created: 'Créé',
    modified: 'Modifié',
    creator: 'Auteur',
    description: 'Description',
    file: 'Fichier',
    download: 'Télécharger',
    actions: 'Actions',
  },
)

type TabWords = { readonly [Tab in DocumentTabId]: string }

export const useTabWords = defineWords(
  { permissions: 'Permissions', history: 'History' } satisfies TabWords,
  { permissions: 'Permissions', history: 'Historique' } satisfies TabWords,
)
