/** What only agents need that ask their users something: forms, and which of several things is meant. */
export { askForm, takeForm } from './ask-form'
export { FORM_HELP, FORM_SCHEMA, readForm } from './read-form'
export { askWhich, findReadings, pickedOf } from './readings'
