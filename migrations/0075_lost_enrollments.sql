-- Spaces that were deleted left where their user stood, which kept key and agent of the storyline as they were for good.
DELETE FROM storyline_enrollments WHERE NOT EXISTS (SELECT 1 FROM spaces WHERE spaces.id = storyline_enrollments.space_id);
