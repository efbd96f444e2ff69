TEST(Fixture, of_one_program) {}
