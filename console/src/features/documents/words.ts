import { defineWords } from '../../words/words.ts'

export const useDocumentFieldWords = defineWords(
  { change: 'Change', typeTitle: 'Type a part of the title' },
  { change: 'Changer', typeTitle: 'Saisissez une partie du titre' },
)
