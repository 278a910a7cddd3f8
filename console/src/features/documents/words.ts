import { defineWords } from '../../words/words.ts'

export const useDocumentFieldWords = defineWords(
  { change: 'Change', clear: 'Clear', typeTitle: 'Type a part of the title' },
  { change: 'Changer', clear: 'Effacer', typeTitle: 'Saisissez une partie du titre' },
)
