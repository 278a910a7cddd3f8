import { defineWords } from '../../words/words.ts'

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
  },
)
