import { FieldsForm, type FieldsFormProps, type FormValues, fieldOf } from './fields-form.tsx'
import { useAdministrationChange } from './use-change.ts'

export interface SavingFormProps<Result> extends Pick<FieldsFormProps, 'fields' | 'before' | 'words' | 'onCancel'> {
  /** The sentences of refusals, with the line that each is about. */
  readonly mistakes: NonNullable<FieldsFormProps['mistakes']>
  /** Only what was changed. */
  save(changed: FormValues): Promise<Result>
  /** Once it is stored; `showStored` has the form show that. */
  onSaved(result: Result, showStored: () => void): void
}

/** A form that saves what it is told. A refusal is shown at the line that it is about, or else told. */
export function SavingForm<Result>({ mistakes, save, onSaved, ...form }: SavingFormProps<Result>) {
  const saving = useAdministrationChange(save, { isShown: (error) => fieldOf(error, mistakes) !== undefined })
  return (
    <FieldsForm
      {...form}
      error={saving.error}
      mistakes={mistakes}
      isPending={saving.isPending}
      onSubmit={(changed, showStored) => saving.mutate(changed, { onSuccess: (result) => onSaved(result, showStored) })}
    />
  )
}
