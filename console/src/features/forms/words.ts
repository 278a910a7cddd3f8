import { useCallback } from 'react'
import type { PieceLayout, PieceText } from '../../api/pieces.ts'
import { defineWords, type Say } from '../../words/words.ts'
import { spelledOut } from '../documents/type-words.ts'
import { useLayoutOf, usePieceTexts } from '../pieces/use-pieces.ts'

export const useFormWords = defineWords(
  {
    unset: 'Not set',
    yes: 'Yes',
    no: 'No',
    add: 'Add…',
    remove: 'Remove {name}',
    oneALine: 'One a line',
    main: 'Document',
    filing: 'Filing',
    origin: 'Origin',
    save: 'Save',
    cancel: 'Cancel',
    edit: 'Edit',
    leave: 'Leave without saving?',
    leaveHint: 'What you have changed here is not saved yet.',
    leaveAnyway: 'Leave',
    stay: 'Stay here',
    saved: 'Saved',
    changed: 'Somebody else has changed this document meanwhile',
    taken: 'Taken over, as only they changed it: {fields}.',
    changedHint: 'Choose for what you both changed.',
    mine: 'Mine:',
    theirs: 'Theirs:',
    saveChoice: 'Save what I chose',
    saveMine: 'Save what I changed',
  },
  {
    unset: 'Non renseigné',
    yes: 'Oui',
    no: 'Non',
    add: 'Ajouter…',
    remove: 'Retirer {name}',
    oneALine: 'Un par ligne',
    main: 'Document',
    filing: 'Classement',
    origin: 'Origine',
    save: 'Enregistrer',
    cancel: 'Annuler',
    edit: 'Modifier',
    leave: 'Quitter sans enregistrer ?',
    leaveHint: 'Vos modifications ne sont pas encore enregistrées.',
    leaveAnyway: 'Quitter',
    stay: 'Rester ici',
    saved: 'Enregistré',
    changed: 'Quelqu’un d’autre a modifié ce document entre-temps',
    taken: 'Repris, modifié par l’autre personne seule : {fields}.',
    changedHint: 'Choisissez pour ce que vous avez modifié tous les deux.',
    mine: 'Votre valeur :',
    theirs: 'L’autre valeur :',
    saveChoice: 'Enregistrer mon choix',
    saveMine: 'Enregistrer mes modifications',
  },
)

const useKnownFields = defineWords(
  {
    'dc:title': 'Title',
    'dc:description': 'Description',
    'dc:nature': 'Nature',
    'dc:subjects': 'Subjects',
    'dc:coverage': 'Coverage',
    'dc:language': 'Language',
    'dc:expired': 'Expires',
    'dc:source': 'Source',
    'dc:rights': 'Rights',
    'dc:publisher': 'Publisher',
    'dc:format': 'Format',
    'dc:issued': 'Issued',
    'dc:valid': 'Valid from',
    'note:note': 'Note',
    'dc:created': 'Created',
    'dc:creator': 'Author',
    'file:content': 'File',
    'files:files': 'Attachments',
    'nxtag:tags': 'Tags',
  },
  {
    'dc:title': 'Titre',
    'dc:description': 'Description',
    'dc:nature': 'Nature',
    'dc:subjects': 'Sujets',
    'dc:coverage': 'Couverture',
    'dc:language': 'Langue',
    'dc:expired': 'Expire le',
    'dc:source': 'Source',
    'dc:rights': 'Droits',
    'dc:publisher': 'Éditeur',
    'dc:format': 'Format',
    'dc:issued': 'Émis le',
    'dc:valid': 'Valable dès le',
    'note:note': 'Note',
    'dc:created': 'Créé',
    'dc:creator': 'Auteur',
    'file:content': 'Fichier',
    'files:files': 'Pièces jointes',
    'nxtag:tags': 'Mots-clés',
  },
)

function ownLabel({ groups, columns }: PieceLayout, xpath: string): PieceText | undefined {
  const named = [...groups.flatMap(({ fields }) => fields), ...columns]
  return named.find(({ field, label }) => field === xpath && label !== undefined)?.label
}

/** What people call a field; one that no words are known for is told by its name, as words. The layout of the type may call it otherwise. */
export function useFieldNames(type?: string): (xpath: string) => string {
  const say = useKnownFields() as Say
  const layout = useLayoutOf(type ?? '')
  const textOf = usePieceTexts()
  return useCallback(
    (xpath) => {
      const own = layout && ownLabel(layout, xpath)
      if (own !== undefined) return textOf(own)
      const known = say(xpath)
      return known === xpath ? spelledOut(xpath.slice(xpath.indexOf(':') + 1).replaceAll('_', ' ')) : known
    },
    [say, layout, textOf],
  )
}
