-- An alias of an id's form would share the address of another tenant's pages: stored ones are freed. A pattern of D1 has
-- at most 50 bytes, so the form is looked at apart from the digits.
UPDATE tenants SET alias = NULL
WHERE alias LIKE '________-____-____-____-____________'
  AND length(replace(alias, '-', '')) = 32 AND replace(alias, '-', '') NOT GLOB '*[^0-9a-f]*';

UPDATE agents SET alias = NULL
WHERE alias LIKE '________-____-____-____-____________'
  AND length(replace(alias, '-', '')) = 32 AND replace(alias, '-', '') NOT GLOB '*[^0-9a-f]*';
