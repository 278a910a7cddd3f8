import { defineWords } from '../../words/words.ts'

export const usePeopleWords = defineWords(
  { type: 'Type a name', searching: 'Searching…', nobody: 'Nobody of that name', group: 'Group', remove: 'Remove {name}' },
  { type: 'Saisissez un nom', searching: 'Recherche…', nobody: 'Personne de ce nom', group: 'Groupe', remove: 'Retirer {name}' },
)

export const usePersonPageWords = defineWords(
  {
    groups: 'Groups',
    noGroups: 'In no group.',
    changed: 'Changed last',
    noneChanged: 'Nothing that you may see.',
    shared: 'Shared with others',
    noneShared: 'Nothing that you may see.',
  },
  {
    groups: 'Groupes',
    noGroups: 'Dans aucun groupe.',
    changed: 'Dernières modifications',
    noneChanged: 'Rien que vous puissiez voir.',
    shared: 'Partagé avec d’autres',
    noneShared: 'Rien que vous puissiez voir.',
  },
)
