-- The indexes of error codes have no room for long ones, which earlier builds stored. Lists cannot look for more than 255
-- characters.
UPDATE incidents SET error_code = left(error_code, 255) WHERE length(error_code) > 255;
UPDATE jobs SET error_code = left(error_code, 255) WHERE length(error_code) > 255;
