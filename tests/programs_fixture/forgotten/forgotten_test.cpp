TEST(Fixture, of_no_program) {}
