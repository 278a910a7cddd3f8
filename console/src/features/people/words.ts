import { defineWords } from '../../words/words.ts'

export const usePeopleWords = defineWords(
  { type: 'Type a name', searching: 'Searching…', nobody: 'Nobody of that name', group: 'Group', remove: 'Remove {name}' },
  { type: 'Saisissez un nom', searching: 'Recherche…', nobody: 'Personne de ce nom', group: 'Groupe', remove: 'Retirer {name}' },
)
