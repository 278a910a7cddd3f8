import { defineWords } from '../../words/words.ts'

export const useSelectionWords = defineWords(
  { actions: 'What to do with the selection', clear: 'Clear selection' },
  { actions: 'Actions sur la sélection', clear: 'Effacer la sélection' },
)
