import { defineWords } from '../../words/words.ts'

export const useBrowseWords = defineWords(
  {
    root: 'All documents',
    path: 'Where you are',
    children: 'Documents in {folder}',
    count: { one: '{count} document', other: '{count} documents' },
    tree: 'Folders',
    unfold: 'Folders in {folder}',
    moreFolders: 'Open the folder to see the rest of them.',
    content: 'Content',
    view: 'View',
    empty: 'Nothing here yet',
    emptyHint: 'Drop files here, or create the first document.',
    filter: 'Filter this list',
    nothingFits: 'No title here has “{filter}”',
  },
  {
    root: 'Tous les documents',
    path: 'Emplacement',
    children: 'Documents dans {folder}',
    count: { one: '{count} document', other: '{count} documents' },
    tree: 'Dossiers',
    unfold: 'Dossiers dans {folder}',
    moreFolders: 'Ouvrez le dossier pour voir les autres.',
    content: 'Contenu',
    view: 'Aperçu',
    empty: 'Rien ici pour le moment',
    emptyHint: 'Déposez des fichiers ici ou créez le premier document.',
    filter: 'Filtrer cette liste',
    nothingFits: 'Aucun titre ici ne contient « {filter} »',
  },
)
