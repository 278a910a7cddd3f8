import { defineWords } from '../../words/words.ts'

export const useSelectionWords = defineWords(
  {
    actions: 'What to do with the selection',
    trash: 'Move to trash',
    trashed: { one: '{count} document is in the trash', other: '{count} documents are in the trash' },
    undo: 'Undo',
    clear: 'Clear selection',
  },
  {
    actions: 'Actions sur la sélection',
    trash: 'Mettre à la corbeille',
    trashed: { one: '{count} document est dans la corbeille', other: '{count} documents sont dans la corbeille' },
    undo: 'Annuler',
    clear: 'Effacer la sélection',
  },
)
