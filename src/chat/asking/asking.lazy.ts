/** What only agents need that ask their users something: forms, read and answered. */
export { askForm, takeForm } from './ask-form'
export { FORM_HELP, FORM_SCHEMA, readForm } from './read-form'
